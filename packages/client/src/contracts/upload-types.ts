export { uploadTypeOf } from '@wp/contracts/upload-types'
