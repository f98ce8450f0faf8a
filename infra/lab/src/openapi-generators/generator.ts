/** The address and credentials with which generated programs call the platform. */
export interface Credentials {
  baseUrl: string
  workspaceId: string
  apiKey: string
  clientId: string
  clientSecret: string
  /** Tokens of sessions, each for one exchange. */
  refreshTokens: readonly [string, string]
  /** Codes that a user allowed, each for one exchange. */
  codes: readonly [AuthorizationCode, AuthorizationCode]
}

/** The parameters of an exchange of an authorization code (RFC 6749 section 4.1.3, RFC 7636). */
export interface AuthorizationCode {
  code: string
  redirectUri: string
  clientId: string
  codeVerifier: string
}

export interface GeneratorInput {
  /** Path of the OpenAPI document. */
  document: string
  /** Installed tools; kept between runs. */
  cache: string
  /** Folder of this run for generated code. */
  folder: string
  /** Makes fresh credentials: codes and refresh tokens work once. */
  credentials(): Promise<Credentials>
}

/** The outcome of a generator: a line of the table. */
export interface GeneratorResult {
  name: string
  /** Of the generator. */
  version: string
  /** Files of generated code, and whether all of them compile. */
  generated: string
  compiled: string
  /** Calls that succeeded with the generated code. */
  calls: readonly string[]
  /** The reason of a failure; undefined if everything succeeded. */
  failure?: string
}

/** Thrown if a tool cannot be installed here. The generator is left out with this reason. */
export class ToolUnavailable extends Error {
  override readonly name = 'ToolUnavailable'
}

/** Generates code, compiles it and calls the platform with it. @throws ToolUnavailable */
export interface Generator {
  name: string
  run(input: GeneratorInput): Promise<GeneratorResult>
}
