-- wp_audit_erasure, which only the command of operators uses: erases the personal data of one person. It cannot read
-- them, and can neither add, change nor delete a record.
GRANT USAGE ON SCHEMA public, platform TO wp_audit_erasure;
CREATE POLICY erasure ON "audit_records" FOR SELECT TO wp_audit_erasure USING (true);
CREATE POLICY erasure ON "audit_personal" TO wp_audit_erasure USING (true);
CREATE POLICY erasure ON "audit_exports" TO wp_audit_erasure USING (true);
CREATE POLICY erasure ON platform.jobs FOR SELECT TO wp_audit_erasure USING (true);
CREATE POLICY erasure ON platform.dead_events TO wp_audit_erasure USING (true);
GRANT SELECT ("workspace_id", "seq", "id", "occurred_at", "actor_id") ON "audit_records" TO wp_audit_erasure;
GRANT SELECT ("workspace_id", "id"), DELETE ON "audit_personal" TO wp_audit_erasure;
GRANT SELECT ("workspace_id", "id"), DELETE ON "audit_exports" TO wp_audit_erasure;
GRANT SELECT ("workspace_id", "id", "state", "result") ON platform.jobs TO wp_audit_erasure;
GRANT SELECT ("workspace_id", "event"), UPDATE ("event") ON platform.dead_events TO wp_audit_erasure;
GRANT SELECT ("workspace_id", "actor", "data"), UPDATE ("data"), INSERT ON platform.outbox TO wp_audit_erasure;

-- The retention of the plan of a workspace.
CREATE POLICY retention ON platform.plan_limits FOR SELECT TO wp_audit_retention USING (true);
GRANT SELECT ON platform.plan_limits TO wp_audit_retention;
