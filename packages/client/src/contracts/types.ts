// The types of the contracts that the modules of the client name. The build of the package replaces the modules of this
// folder, the only ones that import the contracts, by generated ones.
export type { ErrorCode, FieldError, UploadBody } from '@wp/contracts'
