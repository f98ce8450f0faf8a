import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { defaultRetrySchedule } from '../../src/delivery/retry-schedule.ts'
import { createSignatureHeaders } from '../../src/delivery/signature.ts'

const run = promisify(execFile)
const page = readFileSync(join(import.meta.dirname, '../../../../docs/receiving-webhooks.md'), 'utf8')
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wp-receiving-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the page shows in a language, as it stands there. */
function readExample(language: string): string {
  const code = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1]
  if (code === undefined) throw new Error(`the page shows no ${language}`)
  return code
}

interface SignedDelivery {
  body: string
  headers: Record<string, string>
  secret: string
}

const body = JSON.stringify({ event: 'PLAN_CHANGED', request_id: 'dlv_1', payload: { id: 'é', status: 'active' } })
const signed = (current: string | null, previous: string | null = null) =>
  createSignatureHeaders(
    { current, previous },
    { requestId: 'dlv_1', timestamp: 1_767_605_400, body: Buffer.from(body) },
  )

/** What is sent, and whether it is ours. */
const deliveries: [SignedDelivery, boolean][] = [
  [{ body, headers: signed('a secret'), secret: 'a secret' }, true],
  [{ body, headers: signed('the new one', 'a secret'), secret: 'a secret' }, true],
  [{ body, headers: signed('the new one', 'a secret'), secret: 'the new one' }, true],
  [{ body, headers: signed(`whsec_${'A'.repeat(32)}`), secret: `whsec_${'A'.repeat(32)}` }, true],
  [{ body: `${body} `, headers: signed('a secret'), secret: 'a secret' }, false],
  [{ body, headers: signed('another'), secret: 'a secret' }, false],
  [{ body, headers: { ...signed('a secret'), 'x-webhook-signature': 'é' }, secret: 'a secret' }, false],
  [{ body, headers: {}, secret: 'a secret' }, false],
]

async function runProgram(command: string, args: string[], cwd = folder): Promise<boolean[]> {
  const file = join(folder, 'sent.json')
  writeFileSync(file, JSON.stringify(deliveries.map(([each]) => each)))
  const { stdout } = await run(command, [...args, file], { cwd, env: { ...process.env, GOFLAGS: '-mod=mod' } })
  return JSON.parse(stdout)
}

const expected = deliveries.map(([, isOurs]) => isOurs)

/** A language's test, or the reason why there is none here. */
function itWhenInstalled(command: string, versionArgs: string[]): typeof it {
  try {
    execFileSync(command, versionArgs, { stdio: 'ignore' })
    return it
  } catch {
    process.stdout.write(`${command} is not here: what the page shows for it is not run\n`)
    return it.skip as typeof it // the same call; only its extras, which are not used, are missing
  }
}

describe('verifying as the page shows it', () => {
  it('works in Node', async () => {
    writeFileSync(
      join(folder, 'node.mjs'),
      `${readExample('js')}
import { readFileSync } from 'node:fs'
const sent = JSON.parse(readFileSync(process.argv[2], 'utf8'))
console.log(JSON.stringify(sent.map(({ body, headers, secret }) => isAuthentic(Buffer.from(body), headers, secret))))`,
    )
    expect(await runProgram(process.execPath, ['node.mjs'])).toEqual(expected)
  })

  itWhenInstalled('python3', ['--version'])('works in Python', async () => {
    writeFileSync(
      join(folder, 'receive.py'),
      `${readExample('python')}
import json
import sys

sent = json.load(open(sys.argv[1], encoding="utf-8"))
print(json.dumps([is_authentic(each["body"].encode(), each["headers"], each["secret"]) for each in sent]))`,
    )
    expect(await runProgram('python3', ['receive.py'])).toEqual(expected)
  })

  itWhenInstalled('go', ['version'])(
    'works in Go',
    async () => {
      mkdirSync(join(folder, 'webhook'))
      writeFileSync(join(folder, 'go.mod'), 'module example\n\ngo 1.20\n')
      writeFileSync(join(folder, 'webhook/webhook.go'), readExample('go'))
      writeFileSync(
        join(folder, 'main.go'),
        `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example/webhook"
)

func main() {
	file, _ := os.ReadFile(os.Args[1])
	var sent []struct {
		Body, Secret string
		Headers      map[string]string
	}
	if err := json.Unmarshal(file, &sent); err != nil {
		panic(err)
	}
	answers := []bool{}
	for _, each := range sent {
		header := http.Header{}
		for name, value := range each.Headers {
			header.Set(name, value)
		}
		answers = append(answers, webhook.IsAuthentic([]byte(each.Body), header, each.Secret))
	}
	text, _ := json.Marshal(answers)
	fmt.Println(string(text))
}
`,
      )
      expect(await runProgram('go', ['run', '.'])).toEqual(expected)
    },
    // The first time it compiles the standard library's net/http.
    180_000,
  )
})

describe('the page', () => {
  it('names the pauses between tries as they are', () => {
    expect(page).toContain('5 seconds, 5 minutes, 30 minutes, 2, 5, 10, 14, 20 and 24 hours')
    expect(defaultRetrySchedule).toEqual([5, 300, 1_800, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3_600)])
  })
})
