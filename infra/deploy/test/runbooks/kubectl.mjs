// Stands in for kubectl in the tests of the runbooks, which have no cluster: the real kubectl checks the arguments and
// runs commands that need no cluster; a program in a pod runs on this machine. Each call is recorded with its input.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

const { REAL_KUBECTL: real, KUBECTL_CALLS: calls, RESTORE_JOB: restoreJob, STAND_IN_PSQL: psql } = process.env
const args = process.argv.slice(2)
const end = args.indexOf('--')
const own = end < 0 ? args : args.slice(0, end)
const program = end < 0 ? [] : args.slice(end + 1)
const readsInput = own.some((arg, index) => arg === '-' && own[index - 1] === '-f')
const input = readsInput ? readFileSync(0, 'utf8') : ''

// Many pages have the same command.
const accepted = `${calls}.accepted`
const line = `${JSON.stringify(own)}\n`
if (!existsSync(accepted) || !readFileSync(accepted, 'utf8').includes(line)) {
  const parsed = spawnSync(real, [...own, '--help'], { encoding: 'utf8' })
  if (parsed.status !== 0) exitWith(parsed.stderr || parsed.stdout, 1)
  appendFileSync(accepted, line)
}
for (const [index, arg] of own.entries())
  if (own[index - 1] === '-f' && arg !== '-' && !existsSync(arg)) exitWith(`${arg} does not exist`, 1)
appendFileSync(calls, `${JSON.stringify({ args: own, program, input })}\n`)

if (own[0] === 'version' || own[0] === 'kustomize' || own.includes('--local')) run(real, own, input)
else if (own.includes('--from=cronjob/restore')) process.stdout.write(readFileSync(restoreJob, 'utf8'))
else if (own.includes('--for=condition=Failed')) process.exitCode = 1
else if (program[0] === 'psql') run(process.execPath, [psql, ...program.slice(1)])
else if (program[0] === 'node') run('node', program.slice(1))

function run(file, argv, text = '') {
  const { status, stdout, stderr } = spawnSync(file, argv, { input: text, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 })
  process.stdout.write(stdout)
  exitWith(stderr, status ?? 1)
}

function exitWith(text, code) {
  process.stderr.write(text)
  process.exitCode = code
  if (code !== 0) process.exit(code)
}
