import { describe, expect, it } from '@jest/globals'
import { readConfig } from '@wp/service'
import { config } from '../../src/config.ts'

const env = {
  PORT: '0',
  PUBLIC_BASE_URL: 'https://api.example.com',
  SHARD: 'test',
  LOCATION: 'TST',
  ASSERTION_KEY_FILE: 'key',
  ASSERTION_KEYS_FILE: 'keys',
  DATABASE_URL: 'postgresql://localhost/a',
  DATABASE_WORKER_URL: 'postgresql://localhost/a',
  NATS_URL: 'nats://localhost',
  KEK: Buffer.alloc(32, 1).toString('base64'),
}
const read = (more: Record<string, string>) => readConfig(config, { ...env, ...more })

describe('sign-in configuration', () => {
  it('has defaults for all variables except the mail server in production', () => {
    expect(read({})).toMatchObject({
      SIGNUP: 'open',
      REDIRECT_URIS: [],
      GOOGLE_ISSUER: 'https://accounts.google.com',
      GITHUB_URL: 'https://github.com',
      GITHUB_API_URL: 'https://api.github.com',
    })
    expect(() => read({ ENVIRONMENT: 'production' })).toThrow('SMTP_URL is not valid: production needs a mail server')
    expect(read({ ENVIRONMENT: 'production', SMTP_URL: 'smtps://u:p@smtp.example.com' }).SMTP_URL).toMatch(/^smtps:/)
  })

  it('parses a list of redirect URIs', () => {
    const given = 'https://a.example.com/x?y=1, http://127.0.0.1:3000/, http://localhost/cb,com.example.app:/done'
    expect(read({ REDIRECT_URIS: given }).REDIRECT_URIS).toEqual([
      'https://a.example.com/x?y=1',
      'http://127.0.0.1:3000/',
      'http://localhost/cb',
      'com.example.app:/done',
    ])
  })

  it.each([
    ['REDIRECT_URIS', 'http://a.example.com/'],
    ['REDIRECT_URIS', 'https://a.example.com/#x'],
    ['REDIRECT_URIS', 'javascript:alert(1)'],
    ['REDIRECT_URIS', 'data:text/html,x'],
    ['REDIRECT_URIS', '/relative'],
    ['SMTP_URL', 'https://smtp.example.com'],
    ['MAIL_FROM', 'no-address'],
    ['MAIL_FROM', 'a@example.com\r\nBcc: b@example.com'],
    ['GOOGLE_ISSUER', 'http://accounts.example.com'],
    ['GITHUB_URL', 'ftp://github.com'],
    ['OUTBOUND_ALLOW_CIDRS', '10.0.0.0/99'],
    ['OUTBOUND_DENY_CIDRS', '10.0.0.0/99'],
    ['SIGNUP', 'maybe'],
  ])('rejects %s=%j', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(`${name} is not valid`)
  })

  it('requires client id and secret of a provider together', () => {
    expect(() => read({ GOOGLE_CLIENT_ID: 'x' })).toThrow(
      'GOOGLE_CLIENT_SECRET is not valid: is required together with',
    )
    expect(() => read({ GITHUB_CLIENT_SECRET: 'x' })).toThrow(
      'GITHUB_CLIENT_ID is not valid: is required together with',
    )
  })

  it('rejects private networks in production', () => {
    const production = { ENVIRONMENT: 'production', SMTP_URL: 'smtp://mail' }
    expect(() => read({ ...production, OUTBOUND_ALLOW_CIDRS: '10.0.0.0/8' })).toThrow('OUTBOUND_ALLOW_CIDRS')
    expect(read({ OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' }).OUTBOUND_ALLOW_CIDRS).toEqual(['127.0.0.0/8'])
  })
})
