-- How many leases had been lost when the job last came further: what is lost beyond that, it lost in vain.
ALTER TABLE platform.jobs ADD COLUMN lost_before integer NOT NULL DEFAULT 0;
