/** The checks of each response, by their names in Schemathesis. */
export const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'ignored_auth',
] as const

/** Checks that are left out, with the reason. */
export const omittedChecks: Readonly<Record<string, string>> = {
  positive_data_acceptance: 'generated ids name no resource, and some rules are no part of JSON Schema',
  use_after_free: 'needs the phase `stateful`; gateway/test/fuzz/stateful-fuzz.test.ts covers it',
  ensure_resource_availability: 'needs the phase `stateful`',
  object_level_authorization: 'needs two identities; gateway/test/access/access.test.ts covers it',
}

/** Operations that are left out, with the reason. */
export const omittedOperations: Readonly<Record<string, string>> = {
  'notifications.streamNotifications': 'its stream does not end',
  'system.deleteWorkspace': 'ends the workspace of the run',
  'auth.logout': 'ends the session of the run',
}
