/** Returns the status of a key, which expires by itself. */
export const apiKeyStatus = (expiresAt: string | null, now: number): 'active' | 'expired' =>
  expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active'
