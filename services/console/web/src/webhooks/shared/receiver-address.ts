/** Returns true for the address of a test receiver of the platform. */
export const isReceiverAddress = (endpoint: string | null | undefined): boolean =>
  endpoint != null && /\/v1\/webhooks\/receive\?token=[\w.-]+$/.test(endpoint)
