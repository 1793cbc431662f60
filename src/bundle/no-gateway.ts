/**
 * Replaces `@ai-sdk/gateway` in the deployed bundle: the AI SDK calls it if a model is given by its name. Edgepress always
 * gives a model of its own providers (src/ai).
 */
class GatewayError extends Error {
  /** The SDK asks this of every error that it gets. */
  static isInstance(this: void): false {
    return false;
  }
}

class GatewayAuthenticationError extends GatewayError {}

function createGateway(): never {
  throw new Error("The AI SDK's gateway is not part of this bundle.");
}

export { createGateway, createGateway as gateway, GatewayAuthenticationError, GatewayError };
