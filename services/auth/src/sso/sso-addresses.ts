/** Returns the redirect URI of a connection. Each has its own, to prevent mix-up attacks (RFC 9700 section 4.4.2). */
export const ssoCallbackUrl = (publicBaseUrl: string, workspaceId: string): string =>
  `${publicBaseUrl}/v1/auth/login/sso/${workspaceId}/callback`

/** Returns the entity id of a workspace as a SAML service provider, which is the address of its metadata. */
export const samlEntityId = (publicBaseUrl: string, workspaceId: string): string =>
  `${publicBaseUrl}/v1/auth/login/sso/${workspaceId}/metadata`
