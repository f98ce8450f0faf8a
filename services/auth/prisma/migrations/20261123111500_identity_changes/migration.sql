-- The change log of identities: which credential, principal or workspace resolves to something else since when. Edges
-- keep what they cached while they have every change (docs/decisions/edge-identity-cache.md).
CREATE TABLE "identity_changes" (
    "change_id" BIGSERIAL NOT NULL,
    "number" BIGINT,
    "type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "identity_changes_pkey" PRIMARY KEY ("change_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "identity_changes_number_key" ON "identity_changes"("number");

-- CreateIndex
CREATE INDEX "identity_changes_recorded_at_idx" ON "identity_changes"("recorded_at");

-- Finds the changes that have no number yet.
CREATE INDEX "identity_changes_unnumbered" ON "identity_changes"("change_id") WHERE "number" IS NULL;

-- No request needs the log: the triggers write it with the rights of its owner.
GRANT SELECT, INSERT, UPDATE, DELETE ON "identity_changes" TO wp_worker;
GRANT USAGE ON SEQUENCE "identity_changes_change_id_seq" TO wp_worker;

-- Writes a change in the transaction that makes it, whoever makes it. Arguments: the type, and the column with the id.
CREATE FUNCTION public.record_identity_change() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.identity_changes (type, subject_id)
  VALUES (TG_ARGV[0], to_jsonb(coalesce(NEW, OLD)) ->> TG_ARGV[1]);
  RETURN NULL;
END $$;

-- One trigger for each table that `resolve` reads, on the columns it reads. A new row needs one only where it changes the
-- identity of an existing credential. Changes by time (an expiry) need none: identities state their expiry.
CREATE TRIGGER identity_change AFTER UPDATE OF workspace_id, shard, location, scopes, expires_at, deleted_at OR DELETE
  ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('credential', 'key_id');
CREATE TRIGGER identity_change AFTER UPDATE OF key_id, expires_at OR DELETE
  ON public.api_key_secrets FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('credential', 'key_id');
CREATE TRIGGER identity_change AFTER UPDATE OF workspace_id, scopes, status, tokens_valid_after, deleted_at OR DELETE
  ON public.service_principals FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('principal', 'client_id');
CREATE TRIGGER identity_change AFTER INSERT
  ON public.revoked_tokens FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('principal', 'principal_id');
CREATE TRIGGER identity_change AFTER UPDATE OF disabled_at OR DELETE
  ON public.users FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('principal', 'user_id');
CREATE TRIGGER identity_change AFTER INSERT OR UPDATE OF workspace_id, user_id, built_in_role, role_id OR DELETE
  ON public.memberships FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('principal', 'user_id');
CREATE TRIGGER identity_change AFTER UPDATE OF scopes OR DELETE
  ON public.roles FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('workspace', 'workspace_id');
CREATE TRIGGER identity_change AFTER UPDATE OF user_id, expires_at, ended_at
  ON public.sessions FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('credential', 'session_id');
-- Expired sessions are deleted by the thousand.
CREATE TRIGGER identity_change_by_deletion AFTER DELETE
  ON public.sessions FOR EACH ROW WHEN (OLD.ended_at IS NULL AND OLD.expires_at > now())
  EXECUTE FUNCTION public.record_identity_change('credential', 'session_id');
CREATE TRIGGER identity_change
  AFTER UPDATE OF shard, location, credential_per_minute, workspace_per_minute, deleted_at OR DELETE
  ON public.workspaces FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('workspace', 'workspace_id');
CREATE TRIGGER identity_change AFTER INSERT OR UPDATE OF credential_per_minute, workspace_per_minute OR DELETE
  ON platform.plan_limits FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('workspace', 'workspace_id');
CREATE TRIGGER identity_change AFTER INSERT OR UPDATE OF meter, exhausted, period_end OR DELETE
  ON platform.meter_limits FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('workspace', 'workspace_id');
