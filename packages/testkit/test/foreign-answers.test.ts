import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { httpMisbehaviours, mcpMisbehaviours, modelMisbehaviours, providerQuirks, smtpMisbehaviours } from '@wp/testkit'

const document = await readFile(join(import.meta.dirname, '../../../docs/foreign-answers.md'), 'utf8')

const quirks = Object.fromEntries(
  Object.entries(providerQuirks).map(([name, { server: step, description }]) => [name, { step, description }]),
)

describe.each<[string, Record<string, { step: string; description: string }>]>([
  ['Mail servers', smtpMisbehaviours],
  ['Models', modelMisbehaviours],
  ['Model providers', quirks],
  ['MCP servers', mcpMisbehaviours],
  ['HTTP services', httpMisbehaviours],
])('docs/foreign-answers.md, %s', (title, misbehaviours) => {
  const section = document.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

  it('lists every misbehaviour of the fake server with an answer to it', () => {
    const rows = section.split('\n').filter((line) => line.startsWith('| ') && !/^\| (step|server) /.test(line))
    const listed = rows.map((row) => row.split(' | '))
    expect(listed.map(([step, description]) => `${step?.slice(2)}: ${description}`)).toEqual(
      Object.values(misbehaviours).map(({ step, description }) => `${step}: ${description}`),
    )
    for (const [, , answer = ''] of listed) expect(answer.length).toBeGreaterThan(5)
  })

  it('counts the misbehaviours', () => {
    expect(section).toContain(`\n${Object.keys(misbehaviours).length} misbehaviours`)
  })
})
