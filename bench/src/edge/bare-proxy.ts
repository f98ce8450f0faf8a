// The baseline of the edge benchmark: http-proxy-middleware under Express without anything else.
import { createServer } from 'node:http'
import express from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'

const app = express().disable('x-powered-by')
app.use(createProxyMiddleware({ target: process.env.TARGET ?? '' }))
createServer({ keepAliveTimeout: 65_000 }, app).listen(Number(process.env.PORT), '127.0.0.1')
