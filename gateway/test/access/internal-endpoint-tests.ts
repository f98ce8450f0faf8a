import { dirname } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  acceptsSystemCall,
  callersOf,
  type EndpointDefinition,
  endpoints,
  type SignerName,
  scopes,
  serviceOf,
  signerNames,
} from '@wp/contracts'
import { assertionHeader, createSigner, keyFilePaths, readSigningKey, type Subject } from '@wp/service'
import { createTestCaller, readResponse, type TestFleet } from '@wp/testkit'
import type { AccessSuite } from './access-suite.ts'
import { rowsOf } from './endpoint-calls.ts'

const internal = endpoints.flatMap(({ definition }) => (definition.audience === 'internal' ? [definition] : []))
const withScope = internal.filter(({ scope }) => scope !== undefined)
const forServices = internal.filter(({ scope }) => scope === undefined)

/** Sends a request without a body over a socket of the service, signed by a process. @returns status and error code */
async function sendTo(fleet: TestFleet, definition: EndpointDefinition, signer: SignerName, subject: Partial<Subject>) {
  const keysDirectory = dirname(fleet.env('auth').ASSERTION_KEY_FILE ?? '')
  const service = serviceOf(definition)
  const key = await readSigningKey(keyFilePaths(keysDirectory).keyFile(signer), signer)
  const caller = { ...createTestCaller(fleet.owner.workspaceId, fleet.env('auth').SHARD), ...subject }
  const assertion = await createSigner(key).sign(caller, service)
  const path = definition.path.replaceAll(/\{\w+\}/g, 'any')
  const response = await fetch(`${fleet.addresses[service]}${path}`, {
    method: definition.method,
    headers: { [assertionHeader]: assertion },
  })
  const { status, body } = await readResponse(response)
  return { status, code: body.code, scope: body.required_scope }
}

const asItself = (signer: SignerName): Partial<Subject> => {
  const id = `svc:${signer}`
  return { principal: { id, type: 'service' }, credentialId: id, scopes: [] }
}
const refused = { status: 403, code: 'caller_not_allowed', scope: undefined }
/** An authorized request fails later, if at all: it names no resource and has no body. */
const isAuthorized = ({ status }: { status: number }) => status !== 401 && status !== 403

export function describeInternalEndpoints(suite: AccessSuite): void {
  const send = (definition: EndpointDefinition, signer: SignerName, subject: Partial<Subject>) =>
    sendTo(suite.fleet, definition, signer, subject)

  describe('an internal endpoint with a scope', () => {
    it.each(rowsOf(withScope))('%s refuses a caller when only its scope is missing', async (_, definition) => {
      const { scope } = definition
      for (const signer of callersOf(definition)) {
        const others = scopes.filter((one) => one !== scope)
        expect(await send(definition, signer, { scopes: others })).toEqual({
          status: 403,
          code: 'missing_scope',
          scope,
        })
        const own = scopes.filter((one) => one === scope)
        expect(isAuthorized(await send(definition, signer, { scopes: own }))).toBe(true)
      }
    })

    it.each(rowsOf(withScope))(
      '%s refuses a service on its own behalf unless the use is delegated',
      async (_, definition) => {
        for (const signer of callersOf(definition)) {
          const response = await send(definition, signer, asItself(signer))
          if (acceptsSystemCall(definition, signer)) expect(isAuthorized(response)).toBe(true)
          else expect(response).toEqual(refused)
        }
      },
    )
  })

  describe('an internal endpoint without a scope', () => {
    it.each(rowsOf(forServices))('%s refuses a caller when they have every scope', async (_, definition) => {
      for (const signer of callersOf(definition)) {
        expect(await send(definition, signer, {})).toEqual(refused)
        expect(isAuthorized(await send(definition, signer, asItself(signer)))).toBe(true)
      }
    })
  })

  describe('an internal endpoint', () => {
    // One process each, in turns, because the lists are data that one function compares with the signer.
    it.each(rowsOf(internal))('%s refuses a process that its contract does not list', async (id, definition) => {
      const others = signerNames.filter((signer) => !callersOf(definition).includes(signer))
      const signer = others[internal.findIndex((one) => one.id === id) % others.length] ?? 'gateway'
      for (const subject of [{}, asItself(signer)])
        expect([signer, await send(definition, signer, subject)]).toEqual([signer, refused])
    })
  })
}
