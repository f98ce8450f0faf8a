-- Where an event lay on the broker. Permissions bind producers to subjects, so a consumer that must know who said
-- something needs it again when the event is put back. Null: it died before this was kept.
ALTER TABLE platform.dead_events ADD COLUMN subject text;
