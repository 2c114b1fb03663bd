// Search on file://. Browsers refuse to start a Worker there; this stands in for one by running the
// same script in a hidden frame, which inherits the page's origin. Loaded through `extra.polyfills`.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      const script = document.createElement("script");
      script.src = new URL(url, location.href).href;
      frame.srcdoc = "<!doctype html>" + script.outerHTML;
      this.ready = new Promise((resolve) => {
        frame.addEventListener("load", () => {
          const scope = frame.contentWindow;
          // What the worker posts arrives at the page as an event of this object.
          scope.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          resolve(scope);
        });
      });
      document.body.append(frame);
    }

    postMessage(data) {
      this.ready.then((scope) => scope.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {}
  };
  window.Worker = window.IFrameWorker;
}
