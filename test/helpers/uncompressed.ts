/** Keeps the web sockets to workerd uncompressed. It is sent thousands of modules by them: to pack and unpack these took longer. */
import http from "node:http";

/** Lets no web socket that this process opens ask for compression (RFC 7692). */
export function keepWebSocketsUncompressed(): void {
  const { request } = http;
  http.request = ((...args: Parameters<typeof request>) => {
    const [options] = args;
    const headers = typeof options === "object" && options !== null && "headers" in options ? options.headers : null;
    if (typeof headers === "object" && headers !== null) Reflect.deleteProperty(headers, "Sec-WebSocket-Extensions");
    return request(...args);
  }) as typeof request;
}
