import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { createAuthority } from '@wp/testkit'
import { resolveDataDir } from '../src/data-dir/data-dir.ts'
import { outboundSettings } from '../src/outbound-settings.ts'
import { readExample, readServiceVariables } from '../src/service-variables.ts'
import { UsageError } from '../src/usage-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'wp-variables-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const example = readExample(join(import.meta.dirname, '../../..'))

describe('readServiceVariables', () => {
  it('passes the variables of .env.example that the user has set, except empty ones', () => {
    const env = {
      SIGNUP: 'closed',
      SMTP_URL: 'smtp://mail',
      KEK: 'x',
      GITHUB_CLIENT_ID: '',
      HOME: '/home/me',
      PORT: '1',
    }
    const { passed, ignored } = readServiceVariables(env, example)
    expect(passed).toEqual({ SIGNUP: 'closed', SMTP_URL: 'smtp://mail', KEK: 'x' })
    expect(ignored).toEqual([])
  })

  it('names the variables that have no effect', () => {
    const env = { SHARD: 'two', DATABASE_URL: 'postgres://db', SEED_API_KEY: 'x', LOG_LEVEL: 'debug' }
    const { passed, ignored } = readServiceVariables(env, example)
    expect(passed).toEqual({ LOG_LEVEL: 'debug' })
    expect(ignored).toEqual(['DATABASE_URL', 'SEED_API_KEY', 'SHARD'])
  })

  it('knows every variable of .env.example', () => {
    const names = [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name)
    const { passed, ignored } = readServiceVariables(Object.fromEntries(names.map((name) => [name, 'x'])), example)
    expect([...Object.keys(passed), ...ignored, 'PORT'].sort()).toEqual([...new Set(names)].sort())
    expect(Object.keys(passed)).toEqual(expect.arrayContaining(['OUTBOUND_CA_FILE', 'OUTBOUND_ALLOW_CIDRS']))
  })
})

describe('outboundSettings', () => {
  const dataDir = resolveDataDir(folder)

  it('allows loopback addresses and trusts the local authority', () => {
    expect(outboundSettings(dataDir, {}, folder)).toEqual({
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
      OUTBOUND_CA_FILE: join(folder, 'ca.pem'),
    })
  })

  it('adds the networks and the authority of the user', () => {
    const { certificate } = createAuthority()
    writeFileSync(join(folder, 'mine.pem'), certificate)
    const variables = { OUTBOUND_ALLOW_CIDRS: '10.1.0.0/16', OUTBOUND_CA_FILE: 'mine.pem' }
    const { OUTBOUND_ALLOW_CIDRS, OUTBOUND_CA_FILE = '' } = outboundSettings(dataDir, variables, folder)
    expect(OUTBOUND_ALLOW_CIDRS).toBe('127.0.0.0/8,::1/128,10.1.0.0/16')
    expect(readFileSync(OUTBOUND_CA_FILE, 'utf8')).toBe(readFileSync(join(folder, 'ca.pem'), 'utf8') + certificate)
  })

  it('rejects a file that cannot be read with a usage error', () => {
    const settings = () => outboundSettings(dataDir, { OUTBOUND_CA_FILE: 'missing.pem' }, folder)
    expect(settings).toThrow(UsageError)
    expect(settings).toThrow(`OUTBOUND_CA_FILE: ${join(folder, 'missing.pem')} cannot be read`)
  })
})
