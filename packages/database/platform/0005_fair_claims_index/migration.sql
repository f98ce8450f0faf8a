-- migrate: no-transaction
-- The workspaces with queued jobs, and the due jobs of each in queue order, without reading the jobs of others.
CREATE INDEX CONCURRENTLY IF NOT EXISTS jobs_due_by_workspace ON platform.jobs (queue, workspace_id, run_at, id) WHERE state = 'queued';
