-- The deletion of one workspace's rows from this database: one row for each deletion, which says how far it has come. Each
-- step deletes a limited number of rows and moves `run_at` behind those of the other workspaces.
CREATE TABLE platform.workspace_data_deletions (
  deletion_id  text PRIMARY KEY,
  workspace_id text NOT NULL,
  -- The cell of the workspace, where the end of the deletion is reported.
  shard        text NOT NULL,
  run_at       timestamptz(3) NOT NULL DEFAULT now(),
  -- Until then, requests and jobs that began before the deletion may still add rows.
  settles_at   timestamptz(3) NOT NULL,
  -- {isFinalPass, table, block, deletedInPass}: where the next step begins.
  position     jsonb NOT NULL DEFAULT '{}',
  -- Numbers of deleted rows by table.
  deleted      jsonb NOT NULL DEFAULT '{}',
  started_at   timestamptz(3) NOT NULL DEFAULT now(),
  finished_at  timestamptz(3)
);
CREATE INDEX workspace_data_deletions_due ON platform.workspace_data_deletions (run_at) WHERE finished_at IS NULL;
CREATE INDEX workspace_data_deletions_finished ON platform.workspace_data_deletions (finished_at) WHERE finished_at IS NOT NULL;
SELECT platform.protect('platform.workspace_data_deletions');
