// The entry for programs that read files.
export { type FileUploadOptions, fileUpload, type UploadProgress } from './file-upload.ts'
