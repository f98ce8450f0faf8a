export { serializeQuery } from '@wp/contracts/query'
export { uploadTypeOf } from '@wp/contracts/upload-types'
