import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { UploadBody } from '@wp/client'
import { connect } from '../../connection.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { printJson } from '../../output/print-json.ts'

interface ApiFlags extends OutputFlags {
  data: string | undefined
  type: string | undefined
}

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const

export async function callApi(this: Context, flags: ApiFlags, methodName: string, target: string): Promise<void> {
  const method = methods.find((known) => known === methodName.toUpperCase())
  if (method === undefined) throw new UsageError(`${methodName}: the method must be one of ${methods.join(', ')}`)
  if (!/^\/(?!\/)/.test(target)) throw new UsageError(`${target}: a path begins with one /, such as /v1/auth/me`)
  const { pathname, searchParams } = new URL(target, 'http://path')
  const isJson = flags.type === undefined || flags.type === 'application/json'
  const body =
    flags.data === undefined ? {} : { body: await readBody(this, flags.data, isJson ? undefined : flags.type) }
  const { open } = await connect(this, flags)
  await printResponse(
    this,
    flags,
    await open(
      { method, path: pathname, ...(isJson ? {} : { input: 'stream' }) },
      { query: Object.fromEntries(searchParams), ...body },
    ),
  )
}

/** @param type the content type of a body that is sent as it is; undefined for JSON. @throws UsageError */
async function readBody(context: Context, data: string, type: string | undefined): Promise<unknown> {
  if (type === undefined) return readJson(context, data)
  const content = data === '-' ? context.stdin : data.startsWith('@') ? createReadStream(data.slice(1)) : data
  return { contentType: type, content } satisfies UploadBody
}

/** Reads a body: JSON, `@file`, or `-` for standard input. @throws UsageError */
export async function readJson(context: Context, data: string): Promise<unknown> {
  const json =
    data === '-' ? await text(context.stdin) : data.startsWith('@') ? await readJsonFile(data.slice(1)) : data
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new UsageError(`--data: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

async function readJsonFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new UsageError(`--data: ${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

async function printResponse(context: Context, flags: OutputFlags, response: Response): Promise<void> {
  if (/^application\/(?:\w+\+)?json\b/.test(response.headers.get('content-type') ?? ''))
    return printJson(context, flags, (await response.json()) as object) // every JSON response of the API is an object
  if (flags.json !== undefined || flags.jq !== undefined)
    throw new UsageError('--json and --jq: the response is not JSON')
  for await (const chunk of response.body ?? []) context.process.stdout.write(chunk)
}
