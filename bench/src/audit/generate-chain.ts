import type { Query } from '@wp/database'

/** The distribution of generated records, for queries that know what they find. */
export const generated = {
  /** Has performed a third of the actions. */
  frequentActor: typeId('usr', 0),
  /** Has performed one in 1,500. */
  rareActor: typeId('usr', 777),
  frequentAction: 'data_source.updated',
  /** One record in 1,000. */
  rareAction: 'workspace.seeded',
  /** Target of a tenth of the records. */
  frequentTarget: typeId('src', 0),
  /** Target of one record in 20,000. */
  rareTarget: typeId('src', 4242),
} as const

/** Records of a statement. Bounds the memory in which PostgreSQL holds the rows of the generating function. */
const batchSize = 250_000

const tables = ['audit_records', 'audit_personal', 'audit_targets']

/**
 * Replaces the chain of a workspace with generated records of the last two years, hashed as the service does. Indexes
 * are dropped before and created after, which is several times faster.
 *
 * @param query runs a statement as superuser, always on the same connection
 */
export async function generateChain(
  query: Query,
  workspaceId: string,
  count: number,
  progress: (generated: number) => void,
): Promise<void> {
  for (const table of [...tables, 'audit_chains'])
    await query(`DELETE FROM ${table} WHERE workspace_id = '${workspaceId}'`)
  const indexes = await query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = ANY ($1::text[]) AND indexdef NOT LIKE '%UNIQUE%'`,
    [tables],
  )
  for (const { name } of indexes) await query(`DROP INDEX ${name}`)
  await query(generatingFunction)
  let previous = '0'.repeat(64)
  for (let from = 1; from <= count; from += batchSize) {
    const to = Math.min(count, from + batchSize - 1)
    previous = await insertBatch(query, { workspaceId, from, to, previous, count })
    progress(to)
  }
  await query('INSERT INTO audit_chains (workspace_id, seq, hash) VALUES ($1, $2, $3)', [workspaceId, count, previous])
  for (const { definition } of indexes) await query(definition)
  for (const table of tables) await query(`VACUUM ANALYZE ${table}`)
}

interface Batch {
  workspaceId: string
  from: number
  to: number
  previous: string
  count: number
}

async function insertBatch(query: Query, { workspaceId, from, to, previous, count }: Batch): Promise<string> {
  const [row] = await query<{ hash: string }>(
    `WITH records AS (
       INSERT INTO audit_records SELECT * FROM pg_temp.generate_records($1, $2, $3, $4, $5) RETURNING *
     ), personal AS (
       INSERT INTO audit_personal (workspace_id, id, salt, actor_name, ip, user_agent)
       SELECT workspace_id, id, repeat(md5(seq::text), 2), NULL, '198.51.100.7', 'curl/8.5.0' FROM records
     ), targets AS (
       INSERT INTO audit_targets (workspace_id, target_id, id)
       SELECT workspace_id, targets->0->>'id', id FROM records
     )
     SELECT hash FROM records ORDER BY seq DESC LIMIT 1`,
    [workspaceId, from, to, previous, count],
  )
  if (row === undefined) throw new Error('no record was generated')
  return row.hash
}

/** Returns an id of a kind that is valid as a TypeID. */
export function typeId(prefix: string, number: number): string {
  return `${prefix}_01${String(number).padStart(24, '0')}`
}

/** Generates records `first` to `last` of `total`. The text that is hashed is the canonical JSON of record.ts. */
const generatingFunction = `
  CREATE OR REPLACE FUNCTION pg_temp.generate_records(workspace text, first bigint, last bigint, previous text, total bigint)
  RETURNS SETOF audit_records LANGUAGE plpgsql AS $$
  DECLARE
    r audit_records;
    started timestamptz := date_trunc('day', now()) - interval '730 days';
    spacing interval := interval '730 days' / total;
    target text;
    personal text := '{"actor_name":null,"ip":"198.51.100.7","user_agent":"curl/8.5.0"}';
    hash text := previous;
  BEGIN
    FOR n IN first..last LOOP
      r.workspace_id := workspace;
      r.seq := n;
      r.id := 'log_01' || lpad(n::text, 24, '0');
      r.action := CASE WHEN n % 1000 = 500 THEN 'workspace.seeded' WHEN n % 2 = 0 THEN 'data_source.updated' ELSE 'record.created' END;
      r.occurred_at := date_trunc('milliseconds', started + spacing * n);
      r.actor_id := 'usr_01' || lpad((CASE WHEN n % 3 = 0 THEN 0 ELSE n % 1000 END)::text, 24, '0');
      r.actor_type := 'user';
      target := 'src_01' || lpad((CASE WHEN n % 10 = 0 THEN 0 ELSE (n / 10) % 18000 END)::text, 24, '0');
      r.targets := jsonb_build_array(jsonb_build_object('id', target, 'type', 'data_source'));
      r.request_id := 'req-' || md5(n::text);
      r.outcome := CASE WHEN n % 100 = 7 THEN 'failure' WHEN n % 50 = 3 THEN 'denied' ELSE 'success' END;
      r.changes := '{"name":"a name of ordinary length"}';
      r.personal_hash := encode(sha256(convert_to(repeat(md5(n::text), 2) || personal, 'UTF8')), 'hex');
      r.prev_hash := hash;
      hash := encode(sha256(convert_to('{"action":"' || r.action || '","actor":{"id":"' || r.actor_id
        || '","type":"user"},"changes":{"name":"a name of ordinary length"},"id":"' || r.id || '","occurred_at":"'
        || to_char(r.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","outcome":"' || r.outcome
        || '","personal_hash":"' || r.personal_hash || '","prev_hash":"' || r.prev_hash || '","request_id":"'
        || r.request_id || '","seq":' || n || ',"targets":[{"id":"' || target
        || '","type":"data_source"}],"version":1,"workspace_id":"' || workspace || '"}', 'UTF8')), 'hex');
      r.hash := hash;
      r.recorded_at := r.occurred_at;
      RETURN NEXT r;
    END LOOP;
  END $$`
