-- In whose cell it is told what happened: services that serve several shards keep the events of all in one outbox. Empty:
-- in the cell of the service itself.
ALTER TABLE platform.outbox ADD COLUMN shard text NOT NULL DEFAULT '';
