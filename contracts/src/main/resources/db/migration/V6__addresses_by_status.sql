-- The order of lists of one status: the thousands of expired addresses that an account still has listed do not stand in
-- the way of the few that wait. What has expired and is not swept yet is in it, which is seconds' worth; what is swept is
-- not, so that the index stays as small as what is alive.
CREATE INDEX address_by_status ON address (account_id, status, created_at DESC, id DESC) WHERE status <> 'expired';
