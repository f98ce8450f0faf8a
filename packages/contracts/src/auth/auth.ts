import { apiKeyEndpoints } from './api-keys.ts'
import { profileEndpoints } from './profile.ts'
import { resourceMetadataEndpoints } from './resource-metadata.ts'
import { servicePrincipalEndpoints } from './service-principals.ts'
import { tokenEndpoints } from './tokens.ts'

/** Tokens, metadata, the profile of the caller, API keys and service principals. */
export const auth = {
  ...tokenEndpoints,
  ...resourceMetadataEndpoints,
  ...profileEndpoints,
  ...apiKeyEndpoints,
  ...servicePrincipalEndpoints,
}
