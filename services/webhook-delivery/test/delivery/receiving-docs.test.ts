import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createSignatureHeaders } from '../../src/delivery/request/signature.ts'
import { defaultRetrySchedule } from '../../src/delivery/retry-schedule.ts'

const run = promisify(execFile)
const page = readFileSync(join(import.meta.dirname, '../../../../docs/receiving-webhooks.md'), 'utf8')
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wp-receiving-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the code block of a language from docs/receiving-webhooks.md. */
function readExample(language: string): string {
  const code = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1]
  if (code === undefined) throw new Error(`the page has no ${language} example`)
  return code
}

interface ReceivedRequest {
  body: string
  headers: Record<string, string>
  secret: string
}

const body = JSON.stringify({
  event: 'DATA_SYNC_FINISHED',
  request_id: 'dlv_1',
  payload: { id: 'é', status: 'finished' },
})
const sign = (current: string | null, previous: string | null = null) =>
  createSignatureHeaders(
    { current, previous },
    { requestId: 'dlv_1', timestamp: 1_767_605_400, body: Buffer.from(body) },
  )
const signature = sign('a secret')['x-webhook-signature'] ?? ''
const withSignature = (value: string): ReceivedRequest => ({
  body,
  headers: { ...sign('a secret'), 'x-webhook-signature': value },
  secret: 'a secret',
})

/** Requests, and whether they are authentic. */
const cases: [ReceivedRequest, boolean][] = [
  [{ body, headers: sign('a secret'), secret: 'a secret' }, true],
  [{ body, headers: sign('the new one', 'a secret'), secret: 'a secret' }, true],
  [{ body, headers: sign('the new one', 'a secret'), secret: 'the new one' }, true],
  [{ body, headers: sign(`whsec_${'A'.repeat(32)}`), secret: `whsec_${'A'.repeat(32)}` }, true],
  [{ body: `${body} `, headers: sign('a secret'), secret: 'a secret' }, false],
  [{ body, headers: sign('another'), secret: 'a secret' }, false],
  [withSignature('é'), false],
  [withSignature('ä'.repeat(32)), false],
  [withSignature(signature.toUpperCase()), false],
  [withSignature(signature.slice(0, 32)), false],
  [{ body, headers: {}, secret: 'a secret' }, false],
]
const expected = cases.map(([, isAuthentic]) => isAuthentic)

/** Runs a program with the requests as a JSON file. Returns what it found authentic. */
async function runProgram(command: string, args: string[]): Promise<boolean[]> {
  const file = join(folder, 'requests.json')
  writeFileSync(file, JSON.stringify(cases.map(([request]) => request)))
  const env = { ...process.env, GOFLAGS: '-mod=mod' }
  const { stdout } = await run(command, [...args, file], { cwd: folder, env })
  return JSON.parse(stdout)
}

/** Skips a test if the command is not installed. */
function itWith(command: string, versionArgs: string[]): typeof it {
  try {
    execFileSync(command, versionArgs, { stdio: 'ignore' })
    return it
  } catch {
    process.stdout.write(`skipped: ${command} is not installed, its example is not run\n`)
    return it.skip as typeof it // the same call; only its members, which are not used, are missing
  }
}

describe('the verification example', () => {
  it('accepts only authentic requests in Node', async () => {
    writeFileSync(
      join(folder, 'node.mjs'),
      `${readExample('js')}
import { readFileSync } from 'node:fs'
const requests = JSON.parse(readFileSync(process.argv[2], 'utf8'))
console.log(JSON.stringify(requests.map(({ body, headers, secret }) => isAuthentic(Buffer.from(body), headers, secret))))`,
    )
    expect(await runProgram(process.execPath, ['node.mjs'])).toEqual(expected)
  })

  itWith('python3', ['--version'])('accepts only authentic requests in Python', async () => {
    writeFileSync(
      join(folder, 'receive.py'),
      `${readExample('python')}
import json
import sys

requests = json.load(open(sys.argv[1], encoding="utf-8"))
print(json.dumps([is_authentic(each["body"].encode(), each["headers"], each["secret"]) for each in requests]))`,
    )
    expect(await runProgram('python3', ['receive.py'])).toEqual(expected)
  })

  itWith('go', ['version'])(
    'accepts only authentic requests in Go',
    async () => {
      mkdirSync(join(folder, 'webhook'))
      writeFileSync(join(folder, 'go.mod'), 'module example\n\ngo 1.20\n')
      writeFileSync(join(folder, 'webhook/webhook.go'), readExample('go'))
      writeFileSync(join(folder, 'main.go'), goProgram)
      expect(await runProgram('go', ['run', '.'])).toEqual(expected)
    },
    // The first run compiles net/http.
    180_000,
  )
})

const goProgram = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example/webhook"
)

func main() {
	file, _ := os.ReadFile(os.Args[1])
	var requests []struct {
		Body, Secret string
		Headers      map[string]string
	}
	if err := json.Unmarshal(file, &requests); err != nil {
		panic(err)
	}
	results := []bool{}
	for _, each := range requests {
		header := http.Header{}
		for name, value := range each.Headers {
			header.Set(name, value)
		}
		results = append(results, webhook.IsAuthentic([]byte(each.Body), header, each.Secret))
	}
	text, _ := json.Marshal(results)
	fmt.Println(string(text))
}
`

describe('the page', () => {
  it('lists the pauses of the retry schedule', () => {
    expect(page).toContain('5 seconds, 5 minutes, 30 minutes, then 2, 5, 10, 14, 20 and 24 hours')
    expect(defaultRetrySchedule).toEqual([5, 300, 1_800, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3_600)])
  })
})
