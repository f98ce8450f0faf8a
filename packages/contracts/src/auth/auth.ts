import { apiKeyEndpoints } from './api-keys.ts'
import { profileEndpoints } from './profile.ts'
import { servicePrincipalEndpoints } from './service-principals.ts'
import { tokenEndpoints } from './tokens.ts'

/** Tokens, the profile of the caller, API keys and service principals. */
export const auth = { ...tokenEndpoints, ...profileEndpoints, ...apiKeyEndpoints, ...servicePrincipalEndpoints }
