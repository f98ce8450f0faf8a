-- The limits that the plan of a workspace sets, as billing last sent them. A workspace without a row has the defaults of
-- packages/contracts; a limit in platform.quota_limits, which operators set, takes precedence.
CREATE TABLE IF NOT EXISTS platform.plan_limits (
  workspace_id          text NOT NULL PRIMARY KEY,
  plan                  text NOT NULL,
  -- Increases with each change; limits with a lower version are out of date.
  version               integer NOT NULL,
  credential_per_minute integer NOT NULL,
  -- Requests a minute, by service.
  workspace_per_minute  jsonb NOT NULL,
  -- Limits by name of the quota, where the plan differs from the default.
  quotas                jsonb NOT NULL,
  audit_retention_days  integer NOT NULL,
  updated_at            timestamptz(3) NOT NULL DEFAULT now()
);
SELECT platform.protect('platform.plan_limits');
