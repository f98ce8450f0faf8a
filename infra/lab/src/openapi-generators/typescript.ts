import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'
import { callPlatform, installStep, lastLines, runProgram } from './run-program.ts'

const packages = { 'openapi-typescript': '7.13.0', 'openapi-fetch': '0.17.0', typescript: '5.9.3', '@types/node': '24' }
const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  strict: true,
  noEmit: true,
  types: ['node'],
  allowImportingTsExtensions: true,
  skipLibCheck: true,
}

export const typescriptGenerator: Generator = {
  name: 'openapi-typescript',
  async run(input) {
    const tools = join(input.cache, 'npm')
    await mkdir(tools, { recursive: true })
    await writeFile(join(tools, 'package.json'), '{"private":true}')
    const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--silent']
    await installStep('npm', ['install', ...options, ...wanted], { cwd: tools })

    const folder = join(input.folder, 'typescript')
    await mkdir(folder, { recursive: true })
    await symlink(join(tools, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    await copyFile(input.document, join(folder, 'openapi.json'))
    await writeFile(join(folder, 'calls.ts'), typescriptProgram)
    const program = (name: string, ...args: string[]) =>
      runProgram(process.execPath, [join(tools, 'node_modules', name), ...args], { cwd: folder })
    const generated = await program('openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'platform.ts')
    const compiled = await program('typescript/bin/tsc', '-p', '.')
    const result = {
      name: this.name,
      version: packages['openapi-typescript'],
      generated: generated.exitCode === 0 ? '1 file' : 'failed',
      compiled: compiled.exitCode === 0 ? 'yes' : 'no',
    }
    if (compiled.exitCode !== 0) return { ...result, calls: [], failure: lastLines(generated.errors + compiled.output) }
    return { ...result, ...(await callPlatform(input, folder, process.execPath, ['calls.ts'])) }
  },
}

/** Calls the platform with the types of openapi-typescript and openapi-fetch. */
const typescriptProgram = `
import { readFileSync } from 'node:fs'
import createClient from 'openapi-fetch'
import type { paths } from './platform.ts'

const own = JSON.parse(readFileSync('credentials.json', 'utf8'))
const client = createClient<paths>({ baseUrl: own.baseUrl, headers: { 'x-api-key': own.apiKey } })
const anonymous = createClient<paths>({ baseUrl: own.baseUrl })

function succeeded<Data>(name: string, { data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(name + ': ' + JSON.stringify(error))
  console.log(name)
  return data
}

const created = await client.POST('/v1/data/sources', { body: { name: 'TypeScript', provider: 'upload', config: { key: 'id' } } })
const { data_source_id } = succeeded('create source', created).data
const uploaded = await client.POST('/v1/data/sources/{data_source_id}/records', {
  params: { path: { data_source_id } },
  body: [{ id: 'a', text: 'a quiet library' }],
})
succeeded('upload records', uploaded)
const found = succeeded('search', await client.GET('/v1/data/search', { params: { query: { q: 'library', data_source_id } } }))
if (found.data[0]?.key !== 'a') throw new Error('the record was not found')

const form = { bodySerializer: (body: unknown) => new URLSearchParams(body as Record<string, string>) }
const formHeaders = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
const client_credentials = { client_id: own.clientId as string, client_secret: own.clientSecret as string }
const code = ({ code, redirectUri: redirect_uri, clientId: client_id, codeVerifier: code_verifier }: Record<string, string>) =>
  ({ grant_type: 'authorization_code', code: code ?? '', redirect_uri: redirect_uri ?? '', client_id: client_id ?? '', code_verifier: code_verifier ?? '' }) as const
const requests = {
  'token A, JSON': () => anonymous.POST('/v1/auth/token', { body: client_credentials }),
  'token A, form': () => anonymous.POST('/v1/auth/token', { body: { grant_type: 'client_credentials', ...client_credentials }, ...form, ...formHeaders }),
  'token A, Basic': () => anonymous.POST('/v1/auth/token', {
    body: { grant_type: 'client_credentials' },
    ...form,
    headers: { ...formHeaders.headers, authorization: 'Basic ' + btoa(own.clientId + ':' + own.clientSecret) },
  }),
  'token B, JSON': () => anonymous.POST('/v1/auth/token', { body: { refresh_token: own.refreshTokens[0] } }),
  'token B, form': () => anonymous.POST('/v1/auth/token', { body: { grant_type: 'refresh_token', refresh_token: own.refreshTokens[1] }, ...form, ...formHeaders }),
  'token C, JSON': () => anonymous.POST('/v1/auth/token', { body: code(own.codes[0]) }),
  'token C, form': () => anonymous.POST('/v1/auth/token', { body: code(own.codes[1]), ...form, ...formHeaders }),
}
for (const [name, request] of Object.entries(requests)) {
  const answer = succeeded(name, await request())
  const token = 'access_token' in answer && answer.access_token !== undefined ? answer.access_token : 'data' in answer ? answer.data.access_token : ''
  if (token.split('.').length !== 3) throw new Error(name + ' has no access token')
}
`
