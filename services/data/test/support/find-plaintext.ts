import { withClient } from './database.ts'

/** A column of a table that has a text. */
export interface Finding {
  table: string
  text: string
  rows: number
}

/**
 * Searches every column of every table of a database, those of the platform too, whatever its type: as text without
 * regard to case, and in bytes as UTF-8.
 * @param url of a superuser, whom no policy restricts
 */
export const findPlaintext = (url: string, texts: readonly string[]): Promise<Finding[]> =>
  withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
    )
    const findings: Finding[] = []
    for (const { name } of tables)
      for (const text of texts) {
        // Bytes are hexadecimal in the text of a row.
        const { rows } = await client.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM ${name} AS searched
            WHERE strpos(lower(searched::text), lower($1)) > 0 OR strpos(searched::text, $2) > 0`,
          [text, Buffer.from(text).toString('hex')],
        )
        const count = rows[0]?.count ?? 0
        if (count > 0) findings.push({ table: name, text, rows: count })
      }
    return findings
  })
