import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { newId } from '@wp/database'
import { UsageError } from '../usage-error.ts'
import { writePrivateFile } from './data-dir.ts'

/** The credentials of the first workspace, stored in `.local/credentials.json`. */
export interface Credentials {
  base_url: string
  workspace_id: string
  client_id: string
  client_secret: string
  api_key: string
  owner_email: string
}

/**
 * Returns the credentials in the file, and creates the file if it does not exist. It is written before the workspace is
 * seeded, so that the next start can complete an interrupted one. Only `base_url` changes, with the port.
 *
 * @param cell the cell of the first workspace; both values are part of its API key
 */
export function loadOrCreateCredentials(
  file: string,
  baseUrl: string,
  cell: { shard: string; location: string },
): Credentials {
  const kept = readCredentials(file)
  if (kept?.base_url === baseUrl) return kept
  const credentials = { ...(kept ?? newCredentials(cell)), base_url: baseUrl }
  writePrivateFile(file, `${JSON.stringify(credentials, null, 2)}\n`)
  return credentials
}

/** @throws UsageError if the file exists and does not contain credentials */
export function readCredentials(file: string): Credentials | undefined {
  if (!existsSync(file)) return undefined
  const value: unknown = parseJson(readFileSync(file, 'utf8'))
  if (!isCredentials(value)) throw new UsageError(`${file} does not contain the credentials of a fleet: remove it`)
  return value
}

function newCredentials({ shard, location }: { shard: string; location: string }): Omit<Credentials, 'base_url'> {
  const workspaceId = newId('ws')
  return {
    workspace_id: workspaceId,
    client_id: newId('sp'),
    client_secret: randomBytes(32).toString('base64url'),
    api_key: `key_${shard}.${location}.${workspaceId}.${randomUUID()}`,
    owner_email: 'owner@example.com',
  }
}

const credentialFields = ['base_url', 'workspace_id', 'client_id', 'client_secret', 'api_key', 'owner_email'] as const

function isCredentials(value: unknown): value is Credentials {
  if (typeof value !== 'object' || value === null) return false
  const fields = new Map(Object.entries(value))
  return credentialFields.every((name) => typeof fields.get(name) === 'string')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
