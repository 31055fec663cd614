-- Replicas from before list by a prefix of the new indexes until they are replaced: more slowly, but right.
DROP INDEX address_by_account, address_by_label, address_by_status;
