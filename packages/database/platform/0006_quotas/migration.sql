-- The limits of single workspaces, or users, where they differ from the defaults of packages/contracts. Requests read
-- them; only operators and billing, with the worker role, write them.
CREATE TABLE platform.quota_limits (
  -- A workspace; a user for a quota of users.
  subject    text NOT NULL,
  quota      text NOT NULL,
  maximum    bigint NOT NULL CHECK (maximum >= 0),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (subject, quota)
);
ALTER TABLE platform.quota_limits ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform.quota_limits FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON platform.quota_limits FOR SELECT TO wp_app
  USING (subject IN (current_setting('app.workspace_id', true), current_setting('app.user_id', true)));
CREATE POLICY worker ON platform.quota_limits TO wp_worker USING (true);
GRANT SELECT ON platform.quota_limits TO wp_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON platform.quota_limits TO wp_worker;

-- The use of quotas that count within a day. Everything else is counted where it is stored.
CREATE TABLE platform.quota_usage (
  workspace_id text NOT NULL,
  quota        text NOT NULL,
  day          date NOT NULL,
  used         bigint NOT NULL,
  PRIMARY KEY (workspace_id, quota, day)
);
SELECT platform.protect('platform.quota_usage');
