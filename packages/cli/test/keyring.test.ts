import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'

const run = promisify(execFile)
const platform = 'https://api.example.com'
const credentialStore = join(import.meta.dirname, '../src/credentials/credential-store.ts')

/** Stores a credential, replaces it, reads it, removes it, and prints each result as JSON. */
const program = `
const { createCredentialStore } = await import(${JSON.stringify(credentialStore)})
const { readFileSync } = await import('node:fs')
const session = (token) => ({ type: 'session', access_token: token, refresh_token: token, expires_at_ms: 1 })
const open = () => createCredentialStore({ env: process.env })
const place = await open().write('${platform}', session('first token'), 'ws_1')
await open().update('${platform}', session('second token'))
const file = process.env.XDG_CONFIG_HOME + '/wp/credentials.json'
const stored = readFileSync(file, 'utf8')
const read = await open().read('${platform}')
const isRemoved = await open().remove('${platform}')
const afterwards = (await open().read('${platform}')) ?? null
process.stdout.write(JSON.stringify({ place, stored, read, isRemoved, afterwards }))
`

let folder: string
let env: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wp-keyring-'))
  env = { PATH: process.env.PATH ?? '', HOME: folder, XDG_CONFIG_HOME: folder, XDG_RUNTIME_DIR: folder }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const missing = ['dbus-run-session', 'gnome-keyring-daemon'].filter((name) => spawnSync('which', [name]).status !== 0)
if (missing.length > 0)
  process.stderr.write(`skipped: the machine has no ${missing.join(', ')} (Debian: dbus, gnome-keyring)\n`)
const itWithSecretService = missing.length > 0 ? it.skip : it
const kept = { credential: { access_token: 'second token' }, workspaceId: 'ws_1' }

describe('the credential store', () => {
  itWithSecretService('keeps a credential in the secret service, and nothing of it in the file', async () => {
    // The daemon reads the password of the new keyring from its standard input.
    const script =
      'printf secret | gnome-keyring-daemon --unlock --components=secrets >&2 && exec "$0" --input-type=module --eval "$1"'
    const args = ['--', 'bash', '-c', script, process.execPath, program]
    const result = JSON.parse((await run('dbus-run-session', args, { env })).stdout)
    expect(result).toMatchObject({ place: 'the keyring', read: kept, isRemoved: true, afterwards: null })
    expect(result.stored).toContain('is_in_keyring')
    expect(result.stored).not.toContain('token')
  })

  it('keeps a credential in a file for the user alone, and names it, without a secret service', async () => {
    const address = `unix:path=${join(folder, 'no-bus')}`
    const args = ['--input-type=module', '--eval', program]
    const { stdout } = await run(process.execPath, args, { env: { ...env, DBUS_SESSION_BUS_ADDRESS: address } })
    const file = join(folder, 'wp/credentials.json')
    expect(JSON.parse(stdout)).toMatchObject({ place: file, read: kept, isRemoved: true, afterwards: null })
    expect(JSON.parse(stdout).stored).toContain('second token')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).not.toContain('token')
  })
})
