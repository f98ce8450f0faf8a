import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const page = readFileSync(join(import.meta.dirname, '../../../docs/receiving-webhooks.md'), 'utf8')
const shown = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''

const body = '{"note":"ä"}'
const secret = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz'
const signature = createHmac('sha256', secret).update(body).digest('hex')
const other = createHmac('sha256', 'other').update(body).digest('hex')

const cases: [headers: Record<string, string>, authentic: boolean][] = [
  [{ 'x-webhook-signature': signature }, true],
  [{ 'x-webhook-signature': other, 'x-webhook-signature-previous': signature }, true],
  [{ 'x-webhook-signature': other }, false],
  [{}, false],
  [{ 'x-webhook-signature': signature.toUpperCase() }, false],
  [{ 'x-webhook-signature': signature.slice(0, 32) }, false],
  [{ 'x-webhook-signature': 'ä'.repeat(32) }, false],
]

/** What follows the code that is shown: it reads the cases and says of each what the code says. */
const programs = {
  js: {
    command: process.execPath,
    run: (code: string) => ['--input-type=module', '--eval', code],
    rest: `
import { readFileSync } from 'node:fs'
const { body, secret, headers } = JSON.parse(readFileSync(0, 'utf8'))
console.log(JSON.stringify(headers.map((each) => isAuthentic(Buffer.from(body), each, secret))))`,
  },
  python: {
    command: 'python3',
    run: (code: string) => ['-c', code],
    rest: `
import json, sys
given = json.load(sys.stdin)
print(json.dumps([is_authentic(given["body"].encode(), each, given["secret"]) for each in given["headers"]]))`,
  },
}

// Go is shown too, and left out here: compiling it takes longer than all the rest.
describe.each(['js', 'python'] as const)('the code shown to receivers in %s', (language) => {
  const { command, run, rest } = programs[language]
  const isThere = spawnSync(command, ['--version']).status === 0
  if (!isThere) process.stderr.write(`skipped: there is no ${command} to run the ${language} example with\n`)

  ;(isThere ? it : it.skip)('accepts what is authentic, and nothing else', () => {
    const judge = (text: string) => {
      const input = JSON.stringify({ body: text, secret, headers: cases.map(([headers]) => headers) })
      const ran = spawnSync(command, run(shown(language) + rest), { input, encoding: 'utf8' })
      if (ran.status !== 0) throw new Error(ran.stderr)
      return JSON.parse(ran.stdout)
    }
    expect(judge(body)).toEqual(cases.map(([, authentic]) => authentic))
    expect(judge(`${body} `)).toEqual(cases.map(() => false))
  })
})
