import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { Problem, type PublicEndpoint } from '@wp/contracts'
import { callEndpoint, type Exchange } from '../call-endpoint.ts'
import type { Context } from '../context.ts'
import { fitResource } from '../tools/fit-output.ts'
import { findResource } from './resource-kinds.ts'

/**
 * Reads a resource as JSON, as the tool for it returns it.
 * @throws ResourceNotFoundError if the workspace of the caller has no such resource; Problem for any other error
 */
export async function readResource(context: Context, exchange: Exchange, uri: string): Promise<ReadResourceResult> {
  const found = findResource(uri)
  if (found === undefined) throw new ResourceNotFoundError(uri)
  const { kind, params } = found
  const request = { params }
  const data = await callEndpoint<PublicEndpoint>(context, exchange, kind.reader, request).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'not_found' ? new ResourceNotFoundError(uri) : error
  })
  const text = JSON.stringify(fitResource(kind.reader, data))
  return { contents: [{ uri, mimeType: 'application/json', text }] }
}
