-- A migration outside a transaction may have changed it.
RESET lock_timeout;
