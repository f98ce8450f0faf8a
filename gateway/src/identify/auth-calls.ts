import { auth, authInternal, type IdentityChangePage, type PresentedCredential, type Resolution } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import type { JSONWebKeySet } from 'jose'
import { anonymousSubject } from './anonymous-subject.ts'

/** The calls of the edge to auth. Each throws a Problem 5xx while auth is unavailable. */
export interface AuthCalls {
  /** Returns the keys that verify access tokens. */
  fetchKeys(): Promise<JSONWebKeySet>
  /** Returns the resolutions in the order of the items. */
  resolveMany(items: PresentedCredential[]): Promise<Resolution[]>
  /** Returns a page of the change log of identities. */
  readChanges(after: number): Promise<IdentityChangePage>
}

export function createAuthCalls(
  internal: Pick<InternalCalls, 'call' | 'callAsSystem'>,
  platform: Parameters<typeof anonymousSubject>[0],
): AuthCalls {
  const noWorkspace = { workspaceId: null }
  return {
    async fetchKeys() {
      const caller = { ...anonymousSubject(platform), requestId: 'edge-keys' }
      const { keys } = await internal.call(auth.keySet, caller, { params: {}, query: {}, body: undefined })
      return { keys }
    },
    async resolveMany(items) {
      const input = { params: {}, query: {}, body: { items } }
      return (await internal.callAsSystem(authInternal.resolveMany, noWorkspace, input)).resolutions
    },
    readChanges(after) {
      const input = { params: {}, query: { after }, body: undefined }
      return internal.callAsSystem(authInternal.readIdentityChanges, noWorkspace, input)
    },
  }
}
