-- Events that a consumer has taken from the broker and handles later, because their workspace has its share of the
-- events in progress: so they occupy no place among those that the broker has handed out.
CREATE TABLE platform.deferred_events (
  consumer          text NOT NULL,
  event_id          text NOT NULL,
  workspace_id      text NOT NULL,
  event             jsonb NOT NULL,
  stream_created_at timestamptz NOT NULL,
  sequence          bigint NOT NULL,
  subject           text,
  -- Until then a replica handles it, or it waits for another attempt.
  leased_until      timestamptz(3) NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX deferred_events_ordered
  ON platform.deferred_events (consumer, workspace_id, stream_created_at, sequence);
SELECT platform.protect('platform.deferred_events');
