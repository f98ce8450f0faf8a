const storageKey = 'console.scopes'

/**
 * Remembers the scopes of the user in a workspace, so that the next page of it can send its first requests at once
 * (`before-paint.ts`), and none that would be refused.
 */
export const rememberScopes = (workspaceId: string, scopes: readonly string[]): void =>
  localStorage.setItem(storageKey, [workspaceId, ...scopes].join(' '))

/** Forgets the scopes: the next user of the browser may have others. */
export const forgetScopes = (): void => localStorage.removeItem(storageKey)
