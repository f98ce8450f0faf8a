import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'
import { asCurl } from '../../../../web/src/webhooks/attempts/as-curl.ts'

const request = {
  endpoint: `https://example.com/it's?a=$(id)&b=1`,
  event: 'WEBHOOK_TEST',
  requestId: 'dlv_1',
  eventId: 'evt_1',
  attempt: 2,
  body: `{"text":"it's $HOME \`id\` \\\\ \\"quoted\\""}`,
  isSigned: true,
  customHeaders: ['x-team'],
}

/** Runs a command in a shell whose curl prints its arguments, one a line. */
async function run(command: string): Promise<string[]> {
  const script = `curl() { printf '%s\\n' "$@"; }\n${command}`
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { ...process.env, WEBHOOK_SECRET: 's' } })
  return stdout.trimEnd().split('\n')
}

it('asCurl sends the exact body, signed, and lets the shell expand nothing of the data', async () => {
  const words = await run(asCurl(request))
  expect(words).toContain(request.endpoint)
  expect(words.at(-1)).toBe(request.body)
  expect(words).toContain('x-webhook-attempt: 2')
  expect(words).toContain(`x-webhook-signature: ${createHmac('sha256', 's').update(request.body).digest('hex')}`)
})

it('asCurl leaves the signature out when the subscription has no secret', () => {
  expect(asCurl({ ...request, isSigned: false })).not.toContain('SIGNATURE')
})
