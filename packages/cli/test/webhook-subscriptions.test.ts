import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestFleet, testAuthority } from '@wp/testkit'
import { createProgram } from './fixture/program.ts'

const endpoint = 'https://example.com/hook'
const filter = { all: { 'counts.failed': { gt: 0 } } }

const fleet = await startTestFleet({ services: ['auth', 'webhook-delivery'] })
const wp = await createProgram(fleet.baseUrl, { WP_API_KEY: fleet.owner.apiKey })
afterAll(async () => {
  await wp.close()
  await fleet.stop()
})

/** Runs `wp webhooks` with the flags and JSON output. @param input standard input */
async function webhooks(args: readonly string[], input?: string) {
  const { code, stdout, stderr } = await wp.run(['webhooks', ...args, '--json'], {
    ...(input === undefined ? {} : { input }),
    endsInput: true,
  })
  return { code, stderr, subscription: stdout === '' ? undefined : JSON.parse(stdout) }
}

describe('wp webhooks create', () => {
  it('sets the filter and the rate limit, from an argument or a file', async () => {
    const created = await webhooks(['create', endpoint, '--filter', JSON.stringify(filter), '--rate-limit', '0.5'])
    expect(created).toMatchObject({ code: 0, subscription: { filter, rate_limit: 0.5, authentication: null } })
    const file = join(wp.folder, 'filter.json')
    await writeFile(file, JSON.stringify(filter))
    expect(await webhooks(['create', '--poll', '--filter', `@${file}`])).toMatchObject({ subscription: { filter } })
  })

  it('reads the password of Basic and the client secret of OAuth from standard input', async () => {
    const basic = await webhooks(['create', endpoint, '--basic-user', 'ada'], ' a password with spaces \n')
    expect(basic.subscription.authentication).toEqual({ type: 'basic', username: 'ada' })
    const client = ['--oauth-token-url', 'https://example.com/token', '--oauth-client-id', 'wp']
    const choices = ['--oauth-scope', 'hooks', '--oauth-audience', 'gateway', '--oauth-client-authentication', 'body']
    const oauth = await webhooks(['create', endpoint, ...client, ...choices], 'a client secret')
    expect(oauth.subscription.authentication).toEqual({
      type: 'oauth2_client_credentials',
      token_url: 'https://example.com/token',
      client_id: 'wp',
      scope: 'hooks',
      audience: 'gateway',
      client_authentication: 'body',
    })
  })

  it('reads the certificate and the private key of mTLS from files', async () => {
    const { certificate, key } = testAuthority().issue({ names: ['client.example'] })
    const files = [join(wp.folder, 'client.pem'), join(wp.folder, 'client.key')] as const
    await Promise.all([writeFile(files[0], certificate), writeFile(files[1], key)])
    const created = await wp.run([
      ...['webhooks', 'create', endpoint, '--certificate', files[0], '--private-key', files[1]],
    ])
    expect(created).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^authentication\tmtls CN=client.example$/m),
    })
  })

  it('names the flag when flags contradict each other or a value cannot be read', async () => {
    const refused = [
      [['--filter', '{"all"'], '--filter is not valid JSON: '],
      [['--filter', '@absent.json'], '--filter: absent.json cannot be read: ENOENT'],
      [['--rate-limit', 'fast'], '--rate-limit must be a number'],
      [['--oauth-token-url', 'https://example.com/token'], '--oauth-client-id is missing'],
      [['--oauth-scope', 'hooks'], '--oauth-scope needs --oauth-token-url'],
      [['--certificate', 'client.pem'], '--private-key is missing'],
      [['--basic-user', 'ada', '--certificate', 'a', '--private-key', 'b'], 'give one of --basic-user'],
      [['--basic-user', 'ada'], 'Password is empty: write it to standard input'],
    ] as const
    for (const [flags, message] of refused)
      expect(await webhooks(['create', endpoint, ...flags], '')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(message),
      })
  })

  it('prints the field that the platform rejects', async () => {
    const rejected = await webhooks(['create', endpoint, '--filter', '{"all": {"counts.failed": {"over": 0}}}'])
    expect(rejected).toMatchObject({ code: 1, stderr: expect.stringMatching(/filter\/all\/counts\.failed/) })
    const tooFast = await webhooks(['create', endpoint, '--rate-limit', '5000'])
    expect(tooFast).toMatchObject({ code: 1, stderr: expect.stringMatching(/rate_limit.*\(validation_failed/s) })
  })
})

describe('wp webhooks update', () => {
  it('changes the fields that are named, and removes what a flag with `no` names', async () => {
    const { subscription } = await webhooks(['create', endpoint, '--basic-user', 'ada'], 'first password\n')
    const update = (flags: readonly string[], input = '') =>
      webhooks(['update', subscription.webhook_id, ...flags], input)
    const set = await update(['--filter', JSON.stringify(filter), '--rate-limit', '5', '--disable'])
    expect(set.subscription).toMatchObject({
      filter,
      rate_limit: 5,
      status: 'disabled',
      events: ['*'],
      authentication: { type: 'basic', username: 'ada' },
    })
    const renamed = await update(['--basic-user', 'grace', '--enable'], 'second password\n')
    expect(renamed.subscription).toMatchObject({ status: 'active', authentication: { username: 'grace' }, filter })
    const removed = await update(['--no-filter', '--no-rate-limit', '--no-authentication', '--events', 'WEBHOOK_TEST'])
    expect(removed.subscription).toMatchObject({
      filter: null,
      rate_limit: null,
      authentication: null,
      events: ['WEBHOOK_TEST'],
    })
  })

  it('refuses a change of nothing, and a field that is both set and removed', async () => {
    const id = 'wh_01h455vb4pex5vsknk084sn02q'
    const nothing = await webhooks(['update', id])
    expect(nothing).toMatchObject({ code: 2, stderr: 'wp: name at least one field to change\n' })
    const both = await webhooks(['update', id, '--rate-limit', '5', '--no-rate-limit'])
    expect(both).toMatchObject({ code: 2, stderr: 'wp: rate_limit cannot be both set and removed\n' })
  })
})
