-- When a workspace was last given a job of a queue: claims go to the workspace that was served least recently, in every
-- replica and after restarts. A workspace without a row has not been served for at least the retention of these rows.
CREATE TABLE platform.job_turns (
  queue        text NOT NULL,
  workspace_id text NOT NULL,
  served_at    timestamptz NOT NULL,
  PRIMARY KEY (queue, workspace_id)
);
CREATE INDEX job_turns_served ON platform.job_turns (served_at);
SELECT platform.protect('platform.job_turns');
