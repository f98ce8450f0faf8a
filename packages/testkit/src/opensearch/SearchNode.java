import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import org.codelibs.opensearch.runner.node.OpenSearchRunnerNode;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.plugins.Plugin;

/** Runs one OpenSearch node until it is killed. Arguments: its home folder, then settings as name=value. */
class SearchNode {
  static final String[] PLUGINS = {
    "org.opensearch.transport.Netty4Plugin", "org.opensearch.transport.Netty4ModulePlugin",
    "org.opensearch.analysis.common.CommonAnalysisPlugin", "org.opensearch.analysis.common.CommonAnalysisModulePlugin",
    "org.opensearch.knn.plugin.KNNPlugin",
  };

  public static void main(String[] arguments) throws Exception {
    var home = Path.of(arguments[0]);
    var settings = Settings.builder().put("path.home", home.toString());
    for (int nth = 1; nth < arguments.length; nth++) {
      var setting = arguments[nth].split("=", 2);
      settings.put(setting[0], setting[1]);
    }
    var environment = InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), home, () -> "node");
    var plugins = new ArrayList<Class<? extends Plugin>>();
    for (var name : PLUGINS) {
      try {
        plugins.add(Class.forName(name).asSubclass(Plugin.class));
      } catch (ClassNotFoundException otherVersion) {
        // Classes of plugins differ between versions of OpenSearch.
      }
    }
    new OpenSearchRunnerNode(environment, plugins).start();
    Thread.currentThread().join();
  }
}
