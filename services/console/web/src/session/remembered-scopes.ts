const storageKey = 'console.scopes'

/**
 * Remembers the scopes of the user in a workspace, so that the next page of it can send its first requests at once
 * (`before-paint.ts`), and none that would be refused.
 */
export const rememberScopes = (workspaceId: string, scopes: readonly string[]): void =>
  localStorage.setItem(storageKey, [workspaceId, ...scopes].join(' '))

/** Forgets the scopes and the saved views: the next user of the browser may have others. */
export function forgetUser(): void {
  localStorage.removeItem(storageKey)
  for (const key of Object.keys(localStorage)) if (key.startsWith('console.views:')) localStorage.removeItem(key)
}
