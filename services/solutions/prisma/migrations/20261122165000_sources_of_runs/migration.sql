-- The subject of a run is its data source, by which runs are listed.

-- The owner of the table is subject to row-level security only while it is forced.
ALTER TABLE platform.jobs NO FORCE ROW LEVEL SECURITY;

UPDATE platform.jobs SET subject = input #>> '{parameters,data_source_id}'
 WHERE queue = 'forecast' AND subject IS NULL AND input #>> '{parameters,data_source_id}' IS NOT NULL;

ALTER TABLE platform.jobs FORCE ROW LEVEL SECURITY;
