-- The meters whose included use is exhausted, as billing reports them. Requests that would use more read them.
CREATE TABLE platform.meter_limits (
  workspace_id text NOT NULL,
  meter        text NOT NULL,
  exhausted    boolean NOT NULL,
  -- The limit lifts itself at this time.
  period_end   timestamptz(3) NOT NULL,
  -- That of the event; an event with a lower version is out of date.
  version      integer NOT NULL,
  PRIMARY KEY (workspace_id, meter)
);
SELECT platform.protect('platform.meter_limits');
