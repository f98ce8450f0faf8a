import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, findFreePort, startTestFleet } from '@wp/testkit'
import { resolveDataDir } from '../src/data-dir/data-dir.ts'
import { outboundSettings } from '../src/outbound-settings.ts'
import { itWithCommand } from './support/it-with-command.ts'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/local-webhooks.md'), 'utf8')
const [fiveLines = '', polling = ''] = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block = '']) => block)
const nodeReceiver = 'node docs/examples/receiver.mjs'
const certificateCommand = 'npm run certificate --'

const dataDir = mkdtempSync(join(tmpdir(), 'wp-local-webhooks-'))
const fleet = await startTestFleet({
  services: ['auth', 'webhook-delivery'],
  env: { 'webhook-delivery': outboundSettings(resolveDataDir(dataDir), {}, root) },
})
writeFileSync(join(dataDir, 'credentials.json'), JSON.stringify({ api_key: fleet.owner.apiKey }))

afterAll(async () => {
  await fleet.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Replaces what differs from a fleet of `npm start`: its address and data folder, and the port of the receiver. */
const adapt = (lines: string, port: number): string =>
  lines
    .replaceAll(certificateCommand, `${process.execPath} infra/local/src/certificate/main.ts --data-dir ${dataDir}`)
    .replaceAll('http://127.0.0.1:8080', fleet.baseUrl)
    .replaceAll('"./.local/', `"${dataDir}/`)
    .replaceAll(':9443/', `:${port}/`)

/** Runs commands in a process group of their own, in the folder of the repository. */
function runInShell(commands: string) {
  // Ends with its receivers, which run in the background.
  const shell = spawn('bash', ['-c', `${commands}\nwait`], { cwd: root, detached: true })
  const ended = once(shell, 'close')
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  return {
    ended,
    output: () => output,
    /** Waits for a text. @throws Error with the output if it does not come */
    async prints(text: string) {
      await eventually(() => output.includes(text), { timeoutMs: 60_000 }).catch(() => undefined)
      expect(output).toContain(text)
    },
    async stop() {
      // A negative id names the process group; a spawned process has an id.
      if (shell.exitCode === null) process.kill(-Number(shell.pid), 'SIGKILL')
      await ended
    },
  }
}

/** Runs the five lines with another receiver in place of the one in Node. */
async function receiveWith(receiver: string): Promise<void> {
  expect(page).toContain(`\`${receiver}\``)
  const port = await findFreePort()
  const command = `${receiver.replace(/^node /, `${process.execPath} `)} ${port} ${dataDir}/certificates`
  const shell = runInShell(adapt(fiveLines, port).replace(nodeReceiver, command))
  try {
    await shell.prints('authentic {"event":"WEBHOOK_TEST"')
  } finally {
    await shell.stop()
  }
}

describe('the commands of docs/local-webhooks.md', () => {
  it('are five lines', () => {
    expect(fiveLines.trim().split('\n')).toHaveLength(5)
    expect(fiveLines).toContain(nodeReceiver)
  })

  it('deliver a signed event to the receiver in Node', () => receiveWith(nodeReceiver))

  itWithCommand('python3')('deliver a signed event to the receiver in Python', () =>
    receiveWith('python3 docs/examples/receiver.py'),
  )

  it('reject an event that was signed with another secret', async () => {
    const port = await findFreePort()
    const receiver = `${process.execPath} docs/examples/receiver.mjs ${port} ${dataDir}/certificates`
    const commands = adapt(fiveLines, port)
      .replace(nodeReceiver, receiver)
      .replace(/WEBHOOK_SECRET=.*?'\)/, 'WEBHOOK_SECRET=another')
    expect(commands).toContain('WEBHOOK_SECRET=another ')
    const shell = runInShell(commands)
    try {
      await shell.prints('rejected {"event":"WEBHOOK_TEST"')
      expect(shell.output()).not.toContain('authentic {')
    } finally {
      await shell.stop()
    }
  })

  it('poll a delivery without a receiver', async () => {
    const [, variables = ''] = fiveLines.split('\n')
    const shell = runInShell(adapt(`${variables}\n${polling}`, 0))
    await shell.ended
    expect(shell.output()).toContain('\\"event\\":\\"WEBHOOK_TEST\\"')
  })
})

describe('npm run certificate', () => {
  it('is the command that the test runs', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(scripts.certificate).toMatch(/ infra\/local\/src\/certificate\/main\.ts$/)
  })
})
