# Creates the database user of expiry-service. The migrations grant its rights.
psql --set=ON_ERROR_STOP=1 --set=password="$EXPIRY_PASSWORD" --username="$POSTGRES_USER" <<'SQL'
CREATE ROLE oneshot_expiry LOGIN PASSWORD :'password';
SQL
